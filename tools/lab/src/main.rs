//! The command line of the laboratory: each experiment with the options that the arguments name.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use caesura::engine::{EMBEDDED_NETWORK, MATERIAL_NETWORK};
use datagen::opening;
use toolkit::cli::{self, available_processors, print_error, print_line, print_message, stop_or_exit};
use toolkit::sequential::{Sprt, Verdict};

use lab::cli::{AtlasArgs, AuditArgs, Cli, Experiment, ReportFiles, WorthArgs};
use lab::contender::{self, Contender};
use lab::experiment::{CommonOptions, RunContext};
use lab::limit::Limit;
use lab::origin::Origin;
use lab::plan::{self, PlanSettings};
use lab::runner::{self, Summary};
use lab::{
    all, atlas, audit, helpers, match_play, nodes, positions, report, scaling, tactics, worth, zugzwang,
};
use toolkit::file_identity::identify;

/// Where the results go and come from; runs the bench. From now on Ctrl-C stops the run.
fn context(out: &Path) -> Result<RunContext, AnyError> {
    let control = stop_or_exit("finishing what has begun; press Ctrl-C again to end at once", || {})?;
    Ok(RunContext { directory: out.to_path_buf(), origin: Origin::here()?, control })
}

type AnyError = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match execute(cli::parse::<Cli>().experiment) {
        Ok(true) => ExitCode::SUCCESS,
        // Something is left to do: the same command continues.
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            print_error("error", &*error);
            ExitCode::from(2)
        }
    }
}

fn print_and_check(summary: Summary) -> Result<bool, AnyError> {
    runner::print_summary(&mut io::stdout(), &summary)?;
    Ok(summary.is_complete())
}

fn write_report(files: &ReportFiles, origin: &Origin) -> Result<(), AnyError> {
    let markdown = files.markdown.clone().unwrap_or_else(|| files.out.join(report::MARKDOWN));
    report::write(&files.out, &markdown, Some(origin))?;
    print_line(files.out.join(report::HTML).display())?;
    Ok(print_line(markdown.display())?)
}

fn audit(arguments: AuditArgs) -> Result<bool, AnyError> {
    let AuditArgs { common, contenders, book, games, depth, per_class, seed } = arguments;
    let options = audit::Options {
        contenders: contenders.or_default(contender::parse_list(&audit::CONTENDERS)),
        book_names: book.iter().map(|path| identify(path)).collect::<Result<_, _>>()?,
        books: book.iter().map(|path| opening::read_distinct(path)).collect::<Result<_, _>>()?,
        games,
        depth,
        per_class: usize::from(per_class),
        seed,
        common: common.options(false),
    };
    print_and_check(audit::run(&context(&common.out)?, &options)?)
}

fn worth(arguments: WorthArgs) -> Result<bool, AnyError> {
    let WorthArgs { common, first, second, mut evaluations, limits, book, games, seed } = arguments;
    if evaluations.is_empty() {
        evaluations = [MATERIAL_NETWORK, EMBEDDED_NETWORK].map(PathBuf::from).into();
    }
    let timed = limits.iter().any(|limit| !limit.is_deterministic());
    let options = worth::Options {
        sides: [first, second],
        evaluations: evaluations
            .iter()
            .map(|path| worth::Evaluation::load(path))
            .collect::<Result<_, _>>()?,
        limits,
        book_name: identify(&book)?,
        book: opening::read_distinct(&book)?,
        seed,
        games,
        common: common.options(timed),
    };
    print_and_check(worth::run(&context(&common.out)?, &options)?)
}

fn atlas(arguments: AtlasArgs) -> Result<bool, AnyError> {
    let AtlasArgs { common, contenders, tables, placements, searched, depths, seed } = arguments;
    let options = atlas::Options {
        tables,
        contenders: contenders.or_default(contender::parse_list(&atlas::CONTENDERS)),
        depths,
        placements: atlas::Placements { most: placements, seed },
        searched,
        common: common.options(false),
    };
    print_and_check(atlas::run(&context(&common.out)?, &options)?)
}

fn zugzwang_options(
    contenders: Vec<Contender>,
    suites: &[PathBuf],
    limit: Limit,
    common: CommonOptions,
) -> Result<zugzwang::Options, lab::LabError> {
    let read = |path: &PathBuf| Ok((identify(path)?, positions::suite(path)?));
    let suites = suites.iter().map(read).collect::<Result<_, lab::LabError>>()?;
    Ok(zugzwang::Options { contenders, suites, limit, common })
}

fn execute(experiment: Experiment) -> Result<bool, AnyError> {
    match experiment {
        Experiment::Report { files } => {
            write_report(&files, &Origin::here()?)?;
            Ok(true)
        }
        Experiment::All { budget, suites, book, threads, hash, files } => {
            let threads = threads.map_or_else(available_processors, usize::from);
            let plan = plan::plan(&PlanSettings { suites, book, hash: hash as usize, threads })?;
            for path in &plan.missing {
                print_message(format_args!("{} is not there: what needs it is left out", path.display()));
            }
            let context = context(&files.out)?;
            let summary = all::run(&context, &plan.steps, budget, |name| print_message(name))?;
            write_report(&files, &context.origin)?;
            print_and_check(summary)
        }
        Experiment::Nodes { common, contenders, raise } => {
            let options = nodes::Options {
                contenders: contenders.or_default(contender::parse_list(&nodes::CONTENDERS)),
                positions: positions::bratko_kopec(),
                raise,
                common: common.options(false),
            };
            print_and_check(nodes::run(&context(&common.out)?, &options)?)
        }
        Experiment::Tactics { common, contenders, suite, first, limit, runs } => {
            let mut tasks = positions::suite(&suite)?;
            tasks.truncate(first.unwrap_or(usize::MAX));
            let options = tactics::Options {
                contenders: contenders.or_default(contender::all_schemes()),
                suite: identify(&suite)?,
                tasks,
                limit,
                runs,
                common: common.options(!limit.is_deterministic()),
            };
            print_and_check(tactics::run(&context(&common.out)?, &options)?)
        }
        Experiment::Match { common, first, second, book, games, limit, seed, sprt, search_threads } => {
            let options = match_play::Options {
                first,
                second,
                book_name: identify(&book)?,
                book: opening::read_distinct(&book)?,
                seed,
                games,
                sprt: sprt.map(|bounds| Sprt::between(bounds[0], bounds[1])).transpose()?,
                limit,
                common: common.with_threads(limit, search_threads),
            };
            let (summary, pairs) = match_play::run(&context(&common.out)?, &options)?;
            print_line(format_args!(
                "{} games: {}; pairs {:?}",
                2 * pairs.pairs(),
                pairs.estimate(),
                pairs.0
            ))?;
            let mut decided = false;
            if let Some(test) = options.sprt {
                let ratio = pairs.log_likelihood_ratio(test.elo0, test.elo1);
                let verdict = pairs.verdict(test);
                decided = verdict != Verdict::Undecided;
                print_line(format_args!("LLR {ratio:.2} of ±{:.2}: {verdict:?}", Sprt::bound()))?;
            }
            Ok(print_and_check(summary)? || decided)
        }
        Experiment::Zugzwang { common, contenders, suite, limit } => {
            let contenders = contenders.or_default(contender::all_schemes());
            let options = zugzwang_options(contenders, &suite, limit, common.with_threads(limit, 1))?;
            print_and_check(zugzwang::run(&context(&common.out)?, &options)?)
        }
        Experiment::Helpers { common, contenders, suite, limit, search_threads } => {
            let contenders = contenders.or_default(contender::parse_list(&helpers::CONTENDERS));
            let options =
                zugzwang_options(contenders, &suite, limit, common.with_threads(limit, search_threads))?;
            print_and_check(helpers::run(&context(&common.out)?, &options)?)
        }
        Experiment::Worth(arguments) => worth(arguments),
        Experiment::Audit(arguments) => audit(arguments),
        Experiment::Atlas(arguments) => atlas(arguments),
        Experiment::Scaling { common, contenders, depth, nodes } => {
            let options = scaling::Options {
                contenders: contenders.or_default(contender::parse_list(&scaling::CONTENDERS)),
                positions: positions::bratko_kopec(),
                depth,
                nodes,
                common: common.options(false),
            };
            print_and_check(scaling::run(&context(&common.out)?, &options)?)
        }
    }
}

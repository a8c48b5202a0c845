//! `caesura doctor`: prints a page on this machine, as far as it concerns the engine.

use std::path::Path;
use std::process::ExitCode;

use crate::engine::{self, CoreKind, Engine, Machine, Processor};
use crate::uci::Output;
use crate::util::cpu::{self, FEATURES, Feature};
use crate::util::files::{Files, RootedAt};
use crate::util::memory;

use super::arguments::DoctorArguments;
use super::error::CliError;
use super::inputs::numa_policy;

pub(super) fn run(arguments: &DoctorArguments, output: &Output) -> Result<ExitCode, CliError> {
    let machine = engine::this_machine();
    let policy = numa_policy(&arguments.options)?;
    let threads = arguments.threads.unwrap_or_else(|| engine::parallelism_under(machine, &policy));
    let engine = engine_of(arguments, threads);
    let mut page = Page::default();
    program(&mut page, engine.as_ref().ok());
    processors(&mut page, machine);
    page.title(&format!("Placement of {threads} threads, NumaPolicy {policy}"));
    match &engine {
        Ok(engine) => {
            let placement = engine.placement();
            page.row("active threads", engine.active_threads());
            page.row("placement", placement);
            placement.remarks.iter().for_each(|remark| page.row("note", remark));
        }
        Err(error) => page.row("error", error),
    }
    memory_of(&mut page, engine.as_ref().ok(), &RootedAt("/".into()));
    output.line(page.0.trim_end());
    engine.map(|_| ExitCode::SUCCESS)
}

/// An engine as the arguments ask for. Where the machine refuses it, the page is wanted most.
fn engine_of(arguments: &DoctorArguments, threads: usize) -> Result<Engine, CliError> {
    let mut engine = arguments.options.engine()?;
    engine.set_threads(threads)?;
    engine.set_hash(arguments.hash)?;
    Ok(engine)
}

/// A page of titles and rows.
#[derive(Default)]
struct Page(String);

impl Page {
    fn title(&mut self, title: &str) {
        let gap = if self.0.is_empty() { "" } else { "\n" };
        self.0.push_str(&format!("{gap}{title}\n"));
    }

    fn row(&mut self, name: &str, what: impl std::fmt::Display) {
        self.0.push_str(&format!("  {name:<20} {what}\n"));
    }
}

fn program(page: &mut Page, engine: Option<&Engine>) {
    page.title("Program");
    page.row("version", env!("CARGO_PKG_VERSION"));
    if let Some(engine) = engine {
        page.row("network", engine.network().name());
    }
    if FEATURES.is_empty() {
        return page.row("compiled for", cpu::compiled_set());
    }
    let [compiled, present] = [cpu::level(|feature| feature.compiled), cpu::level(Feature::is_present)];
    let compiled_for = format!("{}: {}", cpu::compiled_set(), cpu::names(|feature| feature.compiled, "-"));
    page.row("compiled for", compiled_for);
    page.row("processor has", cpu::level_name(present));
    page.row("and beyond that", cpu::names(|feature| feature.is_present() && !feature.compiled, "-"));
    let best = |has: fn(&Feature) -> bool| cpu::release_builds(has).next();
    if let Some(better) = best(Feature::is_present)
        && (compiled == cpu::UNRELEASED_LEVEL || best(|feature| feature.compiled) != Some(better))
    {
        page.row("note", format_args!("the build for {better} may be faster on this processor"));
    }
}

fn processors(page: &mut Page, machine: &Machine) {
    let all = machine.all();
    let list = |property: fn(&Processor) -> usize| {
        let parts = machine.partition_by(&all, property);
        let few: Vec<String> = parts.iter().take(8).map(ToString::to_string).collect();
        let more = if parts.len() > few.len() { " | ..." } else { "" };
        format!("{}: {}{more}", parts.len(), few.join(" | "))
    };
    page.title("Machine");
    page.row("processors", format_args!("{}: {all}", all.len()));
    page.row("packages", list(|processor| processor.package));
    page.row("NUMA nodes", list(|processor| processor.numa_node));
    page.row("last-level caches", list(|processor| processor.cache));
    page.row("cores", machine.partition_by(&all, |processor| processor.core).len());
    let small = machine.partition_by(&all, |processor| processor.kind);
    if small.len() > 1 {
        let small = machine.processors.iter().filter(|processor| processor.kind == CoreKind::Efficiency);
        page.row("efficiency cores", small.map(|processor| processor.number).collect::<engine::Processors>());
    }
    page.row("affinity mask", &machine.allowed);
    let quota = machine.quota.map_or_else(|| "none".to_string(), |quota| format!("{quota:.2} processors"));
    page.row("control group limit", quota);
}

fn memory_of(page: &mut Page, engine: Option<&Engine>, files: &dyn Files) {
    let unknown = || "unknown".to_string();
    page.title("Memory");
    page.row("available", memory::available().map_or_else(unknown, |bytes| format!("{} MB", bytes >> 20)));
    if let Some(engine) = engine {
        let (megabytes, backing) = engine.hash();
        let backing = backing.map_or_else(unknown, |backing| backing.to_string());
        page.row(&format!("table of {megabytes} MB"), backing);
        page.row("by NUMA node", engine.hash_by_numa_node().map_or_else(unknown, |nodes| nodes.to_string()));
    }
    for (name, folder) in [("1 GB", "hugepages-1048576kB"), ("2 MB", "hugepages-2048kB")] {
        let count = |file: &str| files.text(&Path::new("sys/kernel/mm/hugepages").join(folder).join(file));
        if let Some((total, free)) = count("nr_hugepages").zip(count("free_hugepages")) {
            page.row(&format!("preallocated, {name}"), format_args!("{total} pages, {free} free"));
        }
    }
    if let Some(setting) = files.text(Path::new("sys/kernel/mm/transparent_hugepage/enabled")) {
        page.row("transparent pages", setting);
    }
    page.title("Limits");
    let limits = files.text(Path::new("proc/self/limits")).unwrap_or_default();
    for (name, start) in
        [("processes", "Max processes"), ("address space", "Max address space"), ("stack", "Max stack size")]
    {
        let line = limits.lines().find_map(|line| line.strip_prefix(start));
        let soft = line.and_then(|line| line.split_ascii_whitespace().next()).map(str::to_string);
        page.row(name, soft.unwrap_or_else(unknown));
    }
}

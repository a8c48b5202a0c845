//! The test of the test: each known way round it, and a harmless text that looks like it.

use std::collections::BTreeMap;

use crate::check::Report;
use crate::rules::{FACE_LINES, Rule};
use crate::source::Root;

/// A library of a low top-level module `tt`, a high top-level module `search` and these files.
fn report(files: &[(&str, &str)]) -> Report {
    let mut texts: BTreeMap<String, String> = [
        ("src/lib.rs", "//! House.\npub mod tt;\npub mod search;"),
        ("src/tt.rs", ""),
        (
            "src/search.rs",
            "pub struct Search;\nimpl Search { pub fn go_deeper(&self) {} }\npub fn negamax() {}",
        ),
    ]
    .map(|(path, text)| (path.to_string(), text.to_string()))
    .into();
    texts.extend(files.iter().map(|(path, text)| ((*path).to_string(), (*text).to_string())));
    let mut roots = vec![Root { name: "caesura", file: "src/lib.rs".to_string(), sees: Vec::new() }];
    if texts.contains_key("tools/lab/src/lib.rs") {
        let file = "tools/lab/src/lib.rs".to_string();
        roots.push(Root { name: "lab", file, sees: vec!["caesura", "lab"] });
    }
    Report::of(&texts, &roots)
}

fn is_upward(tt: &str) -> bool {
    report(&[("src/tt.rs", tt)]).names(Rule::Upward).contains("src/tt.rs -> src/search.rs")
}

fn is_circle(files: &[(&str, &str)]) -> bool {
    !report(files).names(Rule::Circle).is_empty()
}

#[test]
fn imports_of_every_form_are_seen() {
    for text in [
        "use crate::search::negamax;",
        "use crate::search::{self};",
        "use crate::search;",
        "use crate::{search::{Search as S}};",
        "use crate::search::*;",
        "use crate::*;\nfn f() { search::negamax() }",
        "use crate as house;\nfn f() { house::search::negamax() }",
        "use super as house;\nuse house::search::negamax;",
        "extern crate self as house;\nuse house::search::negamax;",
        "use super::search::negamax;",
        "mod inner { use super::super::search::negamax; }",
        "mod inner { use self::super::super::search::negamax; }",
        "use self::super::search::negamax;",
        "fn f() { crate::search::negamax() }",
        "fn f() { use crate::search as s; s::negamax() }",
        "fn f(search: &crate::search::Search) {}",
        "fn f<T: Into<crate::search::Search>>() {}",
        "pub use crate::search::negamax;",
        "use r#crate_like::x; use crate::r#search::negamax;",
    ] {
        assert!(is_upward(text), "{text}");
    }
    for text in [
        "",
        "// use crate::search;\n/// [`crate::search`]\nfn f() -> &'static str { \"crate::search::negamax\" }",
        "use other::search::negamax;",
        "mod search { pub fn negamax() {} }\nfn f() { search::negamax() }",
        "mod inner { use super::super::tt; }",
        "use crate as house;\nfn f() { house::tt::g() }",
    ] {
        assert!(!is_upward(text), "{text}");
    }
}

#[test]
fn an_alias_of_the_crate_at_its_root_is_seen() {
    let root = "//! House.\nextern crate self as house;\npub mod tt;\npub mod search;";
    let files = [("src/lib.rs", root), ("src/tt.rs", "fn f() { house::search::negamax() }")];
    assert!(report(&files).names(Rule::Upward).contains("src/tt.rs -> src/search.rs"));
}

#[test]
fn tokens_of_macros_are_seen() {
    for text in [
        "macro_rules! m { () => { $crate::search::negamax() }; }",
        "macro_rules! m { () => { use $crate::{tt::x, search::{negamax}}; }; }",
        "macro_rules! m { () => { use $crate::search::*; }; }",
        "fn f() { assert!(crate::search::negamax()); }",
        "fn f() { println!(\"{}\", vec![crate::search::negamax()]); }",
        "fn f(s: &S) { assert!(s.go_deeper()); }",
        "fn f(s: &S) { assert!(s.inner.go_deeper::<Vec<u8>>(1)); }",
    ] {
        assert!(is_upward(text), "{text}");
    }
    for text in [
        "macro_rules! m { () => { $crate::tt::f() }; }",
        "macro_rules! m { ($x:ident) => { $x::search::negamax() }; }",
        "fn f() { println!(\"crate::search::negamax\"); }",
        "fn f(s: &S) { assert!(s.go_deeper); }",
    ] {
        assert!(!is_upward(text), "{text}");
    }
}

#[test]
fn a_macro_of_a_higher_module_is_seen() {
    let files = [
        ("src/search.rs", "#[macro_export]\nmacro_rules! deeper { () => {}; }"),
        ("src/tt.rs", "fn f() { deeper!() }"),
    ];
    assert!(report(&files).names(Rule::Upward).contains("src/tt.rs -> src/search.rs"));
}

#[test]
fn only_what_tests_alone_compile_may_look_up() {
    for text in [
        "#[cfg(test)]\nmod tests {}\nuse crate::search::negamax;",
        "#[cfg(test)]\nmod tests {\n}\nfn f() { crate::search::negamax() }",
        "mod tests { use crate::search::negamax; }",
        "#[cfg(not(test))]\nmod tests { use crate::search::negamax; }",
        "#[cfg(any(test, feature = \"tune\"))]\nmod tests { use crate::search::negamax; }",
    ] {
        assert!(is_upward(text), "{text}");
    }
    for text in [
        "#[cfg(test)]\nmod tests { use crate::search::negamax; }",
        "#[cfg(all(test, unix))]\nmod anything { use crate::search::negamax; }",
        "#[test]\nfn f() { crate::search::negamax() }",
    ] {
        assert!(!is_upward(text), "{text}");
    }
    let named = ("src/tt/tests.rs", "use crate::search::negamax;");
    let upward = |tt| !report(&[("src/tt.rs", tt), named]).names(Rule::Upward).is_empty();
    assert!(upward("mod tests;"));
    assert!(!upward("#[cfg(test)]\nmod tests;"));
}

#[test]
fn files_from_elsewhere_are_followed() {
    let other = ("src/other.rs", "fn f() { crate::search::negamax() }");
    for tt in ["#[path = \"other.rs\"]\nmod inner;", "include!(\"other.rs\");"] {
        let report = report(&[("src/tt.rs", tt), other]);
        assert!(report.names(Rule::Upward).iter().any(|name| name.ends_with("-> src/search.rs")), "{tt}");
    }
    let hidden = |files: &[(&str, &str)]| !report(files).names(Rule::Hidden).is_empty();
    assert!(hidden(&[other]), "no module declares it");
    for tt in [
        "include!(concat!(env!(\"OUT_DIR\"), \"/x.rs\"));",
        "fn f() { include!(\"x.rs\") }",
        "macro_rules! m { () => { include!(\"x.rs\"); }; }",
        "macro_rules! m { () => { mod other; }; }",
        "macro_rules! m { ($name:ident) => { mod $name; }; }",
        "macro_rules! m { () => { extern crate self as house; }; }",
        "#[cfg_attr(unix, path = \"x.rs\")]\nmod x {}",
        "include!(\"x.txt\");",
        "fn f() { mod inner {} }",
    ] {
        assert!(hidden(&[("src/tt.rs", tt)]), "{tt}");
    }
    for tt in ["const X: &str = include_str!(\"x.txt\");", "mod inner { fn f() {} }"] {
        assert!(!hidden(&[("src/tt.rs", tt)]), "{tt}");
    }
}

#[test]
fn re_exports_lead_to_what_they_hand_on() {
    let face = "//! Search.\nmod a;\nmod b;\npub use a::f;\npub use b::*;";
    let of = |a, b| {
        is_circle(&[
            ("src/search.rs", ""),
            ("src/lib.rs", "pub mod room;\npub mod tt;\npub mod search;"),
            ("src/room/mod.rs", face),
            ("src/room/a.rs", a),
            ("src/room/b.rs", b),
        ])
    };
    assert!(of("pub fn f() { super::g() }", "pub fn g() { super::f() }"));
    assert!(of("use super::g;\npub fn f() { g() }", "use crate::room::f;\npub fn g() { f() }"));
    assert!(of("use super::*;\npub fn f() { g() }", "use super::f;\npub fn g() { f() }"));
    assert!(!of("pub fn f() { super::g() }", "pub fn g() {}"));
    assert!(!of("use super::g as f2;\npub fn f() { f2() }", "pub fn g() {}\npub fn f() {}"));
}

#[test]
fn calls_upward_are_seen() {
    for text in [
        "fn f(s: &S) { s.go_deeper() }",
        "struct T(X);\nimpl T { fn f(&self) { self.0.go_deeper() } }",
        "macro_rules! m { ($s:expr) => { $s.go_deeper() }; }",
        "fn f() { make().go_deeper() }",
    ] {
        assert!(is_upward(text), "{text}");
    }
    for text in [
        "struct T;\nimpl T { fn go_deeper(&self) {} fn f(&self) { self.go_deeper() } }",
        "fn f(v: &Vec<u8>) { v.go_deeper() }",
        "fn f(s: &S) { s.go_deeper }",
        "#[test]\nfn f() { make().go_deeper() }",
    ] {
        assert!(!is_upward(text), "{text}");
    }
}

/// A folder in which `core` has a type and `up` and `down` share its methods.
fn shared_impl(up: &str, down: &str) -> bool {
    is_circle(&[
        ("src/lib.rs", "pub mod room;\npub mod tt;\npub mod search;"),
        ("src/room/mod.rs", "//! Room.\nmod core;\nmod down;\nmod up;"),
        ("src/room/core.rs", "pub struct Job { pub inner: Inner }\npub struct Inner;\npub type Alias = Job;"),
        (
            "src/room/up.rs",
            &format!(
                "use super::core::{{Alias, Job}};\nimpl Job {{ pub fn up(&self) {{ {up} }} pub const TOP: u8 = 1; pub fn run(&self) {{}} }}"
            ),
        ),
        (
            "src/room/down.rs",
            &format!(
                "use super::core::{{Alias, Inner, Job}};\nimpl Job {{ pub fn down(&self) {{ {down} }} }}\nimpl Inner {{ pub fn run(&self) {{}} }}"
            ),
        ),
    ])
}

#[test]
fn circles_of_calls_through_one_impl_are_seen() {
    for back in [
        "self.up()",
        "Self::up(self)",
        "Job::up(self)",
        "Alias::up(self)",
        "<Job>::up(self)",
        "<Self>::up(self)",
        "super::core::Job::up(self)",
        "let f = Self::up; f(self)",
        "Self::TOP;",
        "assert!(self.up());",
        "matches!(Self::up(self), ());",
        "let this = self; this.up()",
        "let other: &Job = make(); other.run()",
        "fn g(job: &mut Job) { job.run() }",
        "let g = |job: &Job| job.run();",
        "(&*self).up()",
        "make().up()",
        "self.run()",
    ] {
        assert!(shared_impl("self.down()", back), "{back}");
    }
    for back in [
        "",
        "self.down()",
        "self.inner.run()",
        "self.other.run()",
        "let up = 1; up",
        "Inner::run(&self.inner)",
        "let job: Vec<u8> = make(); job.up()",
        "/* self.up() */",
    ] {
        assert!(!shared_impl("self.down()", back), "{back}");
    }
    assert!(!shared_impl("self.up()", ""), "a file may recurse in itself");
}

#[test]
fn a_trait_in_between_is_no_circle_and_a_call_by_its_name_is_one() {
    let of = |b| {
        is_circle(&[
            ("src/lib.rs", "pub mod room;\npub mod tt;\npub mod search;"),
            ("src/room/mod.rs", "//! Room.\nmod a;\nmod b;"),
            ("src/room/a.rs", "pub trait Ask { fn ask(&self); }\npub fn f<A: Ask>(a: &A) { a.ask() }"),
            ("src/room/b.rs", b),
        ])
    };
    assert!(!of("use super::a::Ask;\npub struct B;\nimpl Ask for B { fn ask(&self) {} }"));
    let a = "pub fn f(b: &super::b::B) { <super::b::B as Ask>::ask(b) }\npub trait Ask { fn ask(&self); }";
    assert!(is_circle(&[
        ("src/lib.rs", "pub mod room;\npub mod tt;\npub mod search;"),
        ("src/room/mod.rs", "//! Room.\nmod a;\nmod b;"),
        ("src/room/a.rs", a),
        ("src/room/b.rs", "use super::a::Ask;\npub struct B;\nimpl Ask for B { fn ask(&self) {} }"),
    ]));
}

#[test]
fn circles_of_modules_and_of_folders_are_seen() {
    let lib = "//! House.\npub mod board;\npub mod tt;\npub mod clock;\npub mod search;";
    let joins_modules = |clock| {
        is_circle(&[
            ("src/lib.rs", lib),
            ("src/board.rs", ""),
            ("src/tt.rs", "use crate::clock::a;"),
            ("src/clock.rs", clock),
        ])
    };
    assert!(joins_modules("use crate::tt::b;"));
    assert!(!joins_modules("use crate::board::b;"));
    let folders = |file| {
        is_circle(&[
            ("src/search.rs", "pub mod a;\npub mod inner;"),
            ("src/search/a.rs", "use super::inner::f;"),
            ("src/search/inner/mod.rs", "//! Inner.\nmod deep;\npub use deep::f;"),
            ("src/search/inner/deep.rs", file),
        ])
    };
    assert!(folders("pub fn f() { super::super::a::g() }"));
    assert!(!folders("pub fn f() { self::g() }\nfn g() {}"));
}

#[test]
fn faces_with_logic_are_seen() {
    let bad = |text: &str| !crate::shape::face("src/tt/mod.rs", text).is_empty();
    for item in [
        "fn f() {}",
        "impl X {}",
        "const X: u8 = f();",
        "static X: u8 = 1;",
        "struct X;",
        "macro_rules! m { () => {}; }",
        "m!();",
        "mod inner { fn f() {} }",
        "use a::b;",
        "type X = Y;",
        "include!(\"x.rs\");",
        "extern crate self as house;",
        "#[cfg(not(test))]\nextern crate self as house;",
    ] {
        assert!(bad(&format!("//! Prose.\n{item}")), "{item}");
    }
    assert!(bad("mod a;"), "no prose");
    assert!(bad(&format!("//! Prose.\n{}", "pub mod a;\n".repeat(FACE_LINES - 1))), "long");
    assert!(!bad(
        "//! Prose on `fn f() {}`.\n\nmod a;\npub mod b;\n\npub use a::{f, g};\npub(crate) use b::*;\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\nextern crate self as house;"
    ));
    let beside = report(&[("src/tt.rs", "mod a;"), ("src/tt/a.rs", "")]);
    assert_eq!(beside.names(Rule::Face).len(), 1, "a face beside its folder");
}

#[test]
fn faces_with_logic_are_seen_in_tools_too() {
    for folder in ["src", "src/board/deep", "cluster/src", "cluster/src/wire", "tools/lab/src"] {
        for name in ["lib.rs", "mod.rs"] {
            let path = format!("{folder}/{name}");
            let faults = |text: &str| {
                let report = report(&[(&path, text), (&format!("{folder}/a.rs"), "")]);
                report.names(Rule::Face).len()
            };
            assert_eq!(faults("//! Prose.\nmod a;\npub use a::f;"), 0, "{path}");
            assert_eq!(faults("//! Prose.\nmod a;\npub fn f() {}"), 1, "{path}: logic");
            assert_eq!(faults("mod a;"), 1, "{path}: no prose");
        }
    }
    let beside = report(&[("cluster/src/wire.rs", "mod a;"), ("cluster/src/wire/a.rs", "")]);
    assert_eq!(beside.names(Rule::Face).len(), 1, "a face beside its folder");
}

#[test]
fn long_files_and_functions_are_seen() {
    let count = |text: &str| crate::shape::lengths("src/tt.rs", text).len();
    let function = |lines: usize| format!("impl X {{\nfn f() {{\n{}}}\n}}", "g();\n".repeat(lines - 2));
    assert_eq!(count(&function(100)), 0);
    assert_eq!(count(&function(101)), 1);
    assert_eq!(count(&"\n".repeat(549)), 0);
    assert_eq!(count(&"\n".repeat(550)), 1);
}

#[test]
fn unsafe_code_is_seen() {
    let found = |text| crate::shape::is_unsafe("src/tt.rs", text);
    for text in [
        "fn f() { unsafe { g() } }",
        "unsafe fn f() {}",
        "unsafe impl Send for X {}",
        "unsafe trait T {}",
        "#[unsafe(no_mangle)] fn f() {}",
        "macro_rules! m { ($x:expr) => { unsafe { $x } }; }",
        "#[cfg(test)] mod tests { unsafe fn f() {} }",
    ] {
        assert!(found(text), "{text}");
    }
    assert!(!found("// unsafe\n/// unsafe\nfn f() { let is_unsafe = \"unsafe\"; }"));
}

#[test]
fn a_tool_that_goes_behind_the_facade_is_seen() {
    let imports = |text| !report(&[("tools/lab/src/lib.rs", text)]).names(Rule::Import).is_empty();
    for text in [
        "use caesura::search::negamax;",
        "use caesura as engine;\nuse engine::search::negamax;",
        "extern crate caesura as engine;\nuse engine::search::negamax;",
        "use ::caesura::search::negamax;",
        "use caesura::*;\nfn f() { search::negamax() }",
        "fn f() { assert!(caesura::search::negamax()) }",
        "mod tests { fn f() { caesura::search::negamax() } }",
    ] {
        assert!(imports(text), "{text}");
    }
    for text in
        ["use caesura::engine::Engine;", "use caesura::types::Move;", "mod search {}\nuse self::search::x;"]
    {
        assert!(!imports(text), "{text}");
    }
    // What the facade re-exports belongs to the facade.
    let files = [
        ("src/lib.rs", "pub mod engine;\npub mod tt;\npub mod search;"),
        ("src/engine.rs", "pub use crate::search::negamax;"),
        ("tools/lab/src/lib.rs", "use caesura::engine::negamax;"),
    ];
    assert!(report(&files).names(Rule::Import).is_empty());
}

#[test]
fn exceptions_that_are_not_needed_fail() {
    let upward = report(&[("src/tt.rs", "use crate::search::negamax;")]);
    let name = "src/tt.rs -> src/search.rs";
    let fails = |exceptions: &[(Rule, &str)]| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| upward.hold(Rule::Upward, exceptions)))
            .is_err()
    };
    assert!(!fails(&[(Rule::Upward, name), (Rule::Circle, "of another rule")]));
    assert!(fails(&[]));
    assert!(fails(&[(Rule::Upward, name), (Rule::Upward, "src/tt.rs -> src/engine.rs")]));
}

#[test]
fn a_registry_declares_its_modules_and_hides_nothing_else() {
    let registry = |calls: &str, scheme: &str| {
        let text = format!(
            "macro_rules! schemes {{ ($($m:ident::$t:ident,)*) => {{ $(mod $m; pub use $m::$t;)* }} }}\n{calls}"
        );
        is_circle(&[
            ("src/lib.rs", "pub mod search;\npub mod tt;\npub mod room;"),
            ("src/room.rs", ""),
            ("src/search/mod.rs", "//! Search.\npub mod node;\npub mod null_move;"),
            ("src/search/node.rs", "use super::null_move::schemes::Off;\npub struct View(Off);"),
            ("src/search/null_move/mod.rs", "//! Schemes.\npub mod schemes;"),
            ("src/search/null_move/schemes.rs", &text),
            ("src/search/null_move/schemes/off.rs", scheme),
        ])
    };
    assert!(registry("schemes! { off::Off, }", "use crate::search::node::View;\npub struct Off(View);"));
    assert!(!registry("schemes! { off::Off, }", "pub struct Off;"));
}

//! The report on all files of results, as one web page and as Markdown.
//!
//! [`page`] has the parts of a report, [`sections`] fills it from the results, [`html`] and [`markdown`] write it.

pub mod html;
pub mod markdown;
pub mod page;
pub mod sections;
mod write;

pub use write::{HTML, MARKDOWN, PLOTS, write};

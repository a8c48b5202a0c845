//! Charts as SVG: [`Bars`] and [`Curves`].
//!
//! A drawing stands alone: it loads nothing, has its own style and background, and follows the light or dark scheme of
//! the reader. `scale` places numbers on an axis and finds its ticks, `svg` writes the elements.

mod bars;
mod curves;
mod scale;
mod svg;

pub use bars::{Bar, Bars};
pub use curves::{Curve, Curves};
pub use scale::{Scale, short};
pub use svg::escape;

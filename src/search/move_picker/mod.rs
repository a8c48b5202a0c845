//! The staged move picker.
//!
//! Moves come in the order in which they are likely to cut the node: the table move, captures that do not lose material,
//! quiet moves by their histories, captures that lose. Each stage generates and scores its moves only when the stage
//! before has not been enough. In check the same stages generate evasions only.

mod picker;
mod picker_context;
mod quiet_scores;
mod ranked_moves;

pub use picker::MovePicker;
pub use picker_context::PickerContext;

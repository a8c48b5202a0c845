//! An output that tests can read.

use std::io::{self, Write};
use std::sync::Arc;

use parking_lot::Mutex;

/// What has been written, shared by all clones.
#[derive(Clone, Default)]
pub(super) struct Screen(Arc<Mutex<Vec<u8>>>);

impl Screen {
    /// All that has been written.
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.0.lock().clone()).expect("text")
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

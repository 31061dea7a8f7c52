//! What the tests of this workspace share: temporary projects that the real binary runs in, redaction of what
//! changes from run to run, and the way to the shared test data.

mod project;
mod shared;

pub use project::{Output, Project, redact};
pub use shared::shared;

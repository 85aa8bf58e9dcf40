//! Linear-chain conditional random fields (Lafferty, `McCallum` and Pereira, 2001): the probability of a
//! whole sequence of states given what its tokens show.
//!
//! Written by hand because `crfs`, the only maintained crate, trains on one core with one thread and
//! several times slower than `CRFsuite`, and gives no probability of a run.

mod lattice;
mod model;
mod optimize;
mod train;

pub(super) use lattice::Lattice;
pub use model::{Bytes, Choice, Model};
pub use optimize::Stop;
pub use train::{Options, Sequence, Weights, train};

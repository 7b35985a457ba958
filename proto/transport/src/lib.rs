//! The transport under the API: what both ends of a connection share, whatever is said on it.
//!
//! ```
//! use edgehill_transport::WriteCoalescer;
//! use tokio::io::AsyncWrite;
//!
//! fn gathered<S: AsyncWrite + Unpin>(connection: S) -> impl AsyncWrite {
//!     WriteCoalescer::new(connection)
//! }
//! ```

mod write_coalescer;

pub use write_coalescer::WriteCoalescer;

//! The transport under the API: what both ends of a connection share, whatever is said on it.
//!
//! ```
//! use edgehill_transport::WriteCoalescer;
//! use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! let (near, mut far) = duplex(64);
//! let mut near = WriteCoalescer::new(near);
//! near.write_all(b"two writes, ").await?;
//! near.write_all(b"one call of the system").await?;
//! near.flush().await?; // what is written stays here until then
//!
//! let mut read = [0; 34];
//! far.read_exact(&mut read).await?;
//! assert_eq!(&read, b"two writes, one call of the system");
//! # Ok(())
//! # }
//! ```

mod write_coalescer;

pub use write_coalescer::WriteCoalescer;

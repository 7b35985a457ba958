//! The lengths of a match's sequences as one column of its row: 8 bytes each, little-endian.

/// The column's bytes.
pub(super) fn lengths_bytes(lengths: &[u64]) -> Vec<u8> {
    lengths.iter().flat_map(|length| length.to_le_bytes()).collect()
}

/// The lengths in these bytes. Bytes that are left over are caught by the row's checksum or its last append.
pub(super) fn lengths_of(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect()
}

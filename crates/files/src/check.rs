//! [`crc32`]: the check of bytes.

/// The CRC-32 (ISO 3309, as in gzip and PNG) of some parts, one after the other. O(bytes).
///
/// ```
/// use stonework_files::crc32;
/// assert_eq!(crc32(&[b"1234", b"56789"]), 0xcbf4_3926);
/// ```
#[must_use]
pub fn crc32(parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

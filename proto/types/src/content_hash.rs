//! The `contentHash` attribute: a fingerprint for readers of file-meta documents, by Boxel's rule.

use md5::{Digest, Md5};

/// Up to this size a file is hashed whole; beyond it, its head and its tail.
const WHOLE_LIMIT_BYTES: usize = 5 * 1024 * 1024;
const HEAD_BYTES: usize = 4 * 1024 * 1024;
const TAIL_BYTES: usize = 1024 * 1024;

/// The MD5 of the bytes in hex, or `s1:<size>:<MD5 of the first 4 MiB>:<MD5 of the last 1 MiB>` over 5 MiB.
///
/// It is a document attribute only: two large files that differ in the middle share it, so nothing that decides
/// whether a file changed may use it.
pub fn content_hash(bytes: &[u8]) -> String {
    if bytes.len() <= WHOLE_LIMIT_BYTES {
        return md5_hex(bytes);
    }
    let head = md5_hex(&bytes[..HEAD_BYTES]);
    let tail = md5_hex(&bytes[bytes.len() - TAIL_BYTES..]);
    format!("s1:{}:{head}:{tail}", bytes.len())
}

fn md5_hex(bytes: &[u8]) -> String {
    Md5::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_are_hashed_whole() {
        assert_eq!(content_hash(b""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(content_hash(b"abc"), "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(content_hash(&vec![0; WHOLE_LIMIT_BYTES]).len(), 32);
    }

    #[test]
    fn large_files_are_sampled() {
        let mut bytes = vec![0_u8; WHOLE_LIMIT_BYTES + 1];
        let hash = content_hash(&bytes);
        assert!(hash.starts_with("s1:5242881:"), "{hash}");
        bytes[HEAD_BYTES] = 1;
        assert_eq!(
            content_hash(&bytes),
            hash,
            "the one byte between head and tail is not read"
        );
        bytes[HEAD_BYTES + 1] = 1;
        assert_ne!(content_hash(&bytes), hash);
    }
}

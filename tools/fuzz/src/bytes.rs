//! Takes an input apart. What is missing at its end is zero or empty, so that every input means something.

/// The front of a slice, at most this long; the slice loses it.
pub fn take<'a>(data: &mut &'a [u8], length: usize) -> &'a [u8] {
    let (front, rest) = data.split_at(length.min(data.len()));
    *data = rest;
    front
}

/// The first byte of a slice, or 0; the slice loses it.
pub fn byte(data: &mut &[u8]) -> u8 {
    take(data, 1).first().copied().unwrap_or(0)
}

/// The first two bytes of a slice as a little-endian number; the slice loses them.
pub fn number(data: &mut &[u8]) -> u16 {
    u16::from_le_bytes([byte(data), byte(data)])
}

/// The first line of an input as text, and what follows it.
pub fn line(data: &[u8]) -> (String, &[u8]) {
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    let rest = data.get(end + 1..).unwrap_or_default();
    (String::from_utf8_lossy(&data[..end]).into_owned(), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_may_end_anywhere() {
        let mut data = &[1, 2, 3, 4][..];
        assert_eq!((byte(&mut data), number(&mut data), number(&mut data)), (1, 0x302, 4));
        assert_eq!((byte(&mut data), take(&mut data, 9)), (0, &[][..]));
        assert_eq!(line(b"ab\ncd"), ("ab".to_string(), &b"cd"[..]));
        assert_eq!(line(b"ab"), ("ab".to_string(), &b""[..]));
    }
}

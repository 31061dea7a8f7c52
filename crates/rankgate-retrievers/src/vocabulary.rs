//! From features to numbers.

use hashbrown::HashMap;

/// The numbers of the features, in order of first appearance. Only ever asked for one feature at a time, so that
/// the order of a hash table decides nothing.
#[derive(Debug)]
pub enum Vocabulary {
    /// Each feature by its own text.
    Exact(HashMap<Box<str>, u32>),
    /// Features by the bucket their hash falls into.
    Hashed {
        /// How many buckets there are.
        dimension: u64,
        /// The buckets in use.
        buckets: HashMap<u64, u32>,
    },
}

impl Vocabulary {
    /// The number of a feature, a new one if need be; nothing when the numbers have run out.
    pub fn insert(&mut self, feature: &str) -> Option<u32> {
        match self {
            Self::Exact(terms) => {
                if let Some(number) = terms.get(feature) {
                    return Some(*number);
                }
                let next = u32::try_from(terms.len()).ok()?;
                terms.insert(feature.into(), next);
                Some(next)
            }
            Self::Hashed { dimension, buckets } => {
                let next = u32::try_from(buckets.len()).ok()?;
                Some(*buckets.entry(hash(feature) % *dimension).or_insert(next))
            }
        }
    }

    /// The number of a feature, if it has one.
    pub fn get(&self, feature: &str) -> Option<u32> {
        match self {
            Self::Exact(terms) => terms.get(feature).copied(),
            Self::Hashed { dimension, buckets } => buckets.get(&(hash(feature) % *dimension)).copied(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Exact(terms) => terms.len(),
            Self::Hashed { buckets, .. } => buckets.len(),
        }
    }

    /// Its size, for the report.
    pub fn fact(&self) -> (String, String) {
        match self {
            Self::Exact(terms) => ("vocabulary".into(), terms.len().to_string()),
            Self::Hashed { dimension, buckets } => {
                ("buckets".into(), format!("{} of {dimension}", buckets.len()))
            }
        }
    }
}

/// FNV-1a over the bytes in UTF-8, 64 bits, its result stirred once more so that the low bits are as good as the
/// high ones (the finishing step of `MurmurHash3`). Part of `hashing-v1`: a change here is a new version.
pub fn hash(feature: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in feature.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values computed by a separate program: they must hold on every platform, for good.
    #[test]
    fn the_hash_never_changes() {
        for (feature, expected) in [
            ("", 0xefd0_1f60_ba99_2926),
            ("a", 0x82a2_a958_a9be_ce5b),
            ("refund", 0xb6b8_2ed9_45ea_3082),
            ("退款", 0xfe83_3630_0f93_d7fd),
        ] {
            assert_eq!(hash(feature), expected, "{feature}");
        }
    }
}

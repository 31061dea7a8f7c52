//! Random bits that depend on nothing but the seed and the number of the draw.
//!
//! Draw number i owns a stream of words, and word k of it can be had without those before it. So
//! draws can be made in any order and on any number of threads and still are the same draws.

/// The step between states: 2^64 over the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number
/// generators").
fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The stream of one draw.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stream {
    key: u64,
}

impl Stream {
    /// The stream of draw number `draw`. It starts at a scrambled state, so that the streams of
    /// neighbouring draws and seeds do not run into each other.
    pub(super) fn of_draw(seed: u64, draw: u32) -> Self {
        let seed = mix(seed.wrapping_add(GAMMA));
        Self { key: mix(seed.wrapping_add(u64::from(draw).wrapping_add(1).wrapping_mul(GAMMA))) }
    }

    /// Word number `index`.
    #[inline]
    pub(super) fn word(self, index: u64) -> u64 {
        mix(self.key.wrapping_add(index.wrapping_add(1).wrapping_mul(GAMMA)))
    }

    /// Two whole numbers below `bound`, from the two halves of word number `index`: multiplied and
    /// shifted instead of divided (Lemire 2019, "Fast random integer generation in an interval").
    /// Without his rejection step a number is favoured by at most one part in 2^32 / `bound`,
    /// which no count of draws here can notice.
    #[inline]
    pub(super) fn pair_below(self, index: u64, bound: u32) -> [u64; 2] {
        let (word, bound) = (self.word(index), u64::from(bound));
        [((word >> 32) * bound) >> 32, ((word & 0xffff_ffff) * bound) >> 32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_published_generator() {
        // The first outputs of SplitMix64 for seed 0, as its reference implementation prints them.
        let stream = Stream { key: 0 };
        assert_eq!(stream.word(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(stream.word(1), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(stream.word(2), 0x06c4_5d18_8009_454f);
    }

    #[test]
    fn streams_differ_by_seed_and_by_draw() {
        let mut keys: Vec<u64> =
            (0..10).flat_map(|seed| (0..100).map(move |draw| Stream::of_draw(seed, draw).key)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 1000);
    }

    #[test]
    fn bits_are_fair() {
        let ones: u32 = (0..1000).map(|draw| Stream::of_draw(7, draw).word(3).count_ones()).sum();
        // 64,000 fair bits: 32,000 give or take 126; five times that is far out.
        assert!((31_370..32_630).contains(&ones), "{ones}");
    }

    #[test]
    fn bounded_numbers_are_even() {
        let mut counts = [0_u32; 7];
        for draw in 0..7000 {
            for number in Stream::of_draw(1, draw).pair_below(0, 7) {
                counts[usize::try_from(number).unwrap()] += 1;
            }
        }
        // 2,000 each, give or take 41.
        assert!(counts.iter().all(|count| (1790..2210).contains(count)), "{counts:?}");
        assert_eq!(Stream::of_draw(1, 0).pair_below(0, 1), [0, 0]);
        let top = Stream::of_draw(1, 0).pair_below(0, u32::MAX);
        assert!(top.iter().all(|&number| number < u64::from(u32::MAX)));
    }
}

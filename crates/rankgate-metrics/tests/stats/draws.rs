//! Draws are the same however they are shared out, and differ with the seed.

use std::thread;

use rankgate_metrics::stats::{Alternative, IntervalMethod, mean_interval, sign_flip, sign_flip_exceedances};

use crate::ALTERNATIVES;

/// Differences without a pattern, a fifth of them 0.
fn differences(n: u32) -> Vec<f64> {
    (0..n)
        .map(|i| f64::from((i * 7919 + 13) % 997) / 997.0 - 0.48)
        .map(|d| if d.abs() < 0.1 { 0.0 } else { d })
        .collect()
}

#[test]
fn threads_do_not_change_the_count() {
    const DRAWS: u32 = 5_000;
    let differences = differences(333);
    for alternative in ALTERNATIVES {
        let whole = sign_flip_exceedances(&differences, alternative, 42, 0..DRAWS);
        for threads in [1, 2, 3, 7] {
            let bounds: Vec<u32> = (0..=threads).map(|part| DRAWS * part / threads).collect();
            let shared: u64 = thread::scope(|scope| {
                let parts: Vec<_> = bounds
                    .windows(2)
                    .map(|ends| {
                        let (differences, part) = (&differences, ends[0]..ends[1]);
                        scope.spawn(move || sign_flip_exceedances(differences, alternative, 42, part))
                    })
                    .collect();
                parts.into_iter().map(|part| part.join().unwrap()).sum()
            });
            assert_eq!(shared, whole, "{alternative} on {threads} threads");
        }
        let test = sign_flip(&differences, alternative, DRAWS, 42);
        assert_eq!(test.p, (whole as f64 + 1.0) / f64::from(DRAWS + 1));
    }
}

#[test]
fn one_draw_at_a_time_is_the_same_too() {
    let differences = differences(100);
    let count = |draws| sign_flip_exceedances(&differences, Alternative::Greater, 3, draws);
    assert_eq!((0..3000).map(|draw| count(draw..draw + 1)).sum::<u64>(), count(0..3000));
    assert_eq!(
        count(u32::MAX - 10..u32::MAX),
        (1..=10).map(|i| count(u32::MAX - i..u32::MAX - i + 1)).sum::<u64>()
    );
    assert_eq!(count(7..7), 0);
}

#[test]
fn the_seed_decides() {
    let differences = differences(200);
    let p = |seed| sign_flip(&differences, Alternative::Greater, 2_000, seed).p;
    assert_eq!(p(1), p(1));
    assert!((2..12).any(|seed| p(seed) != p(1)));
    let low = |seed| mean_interval(&differences, 0.9, IntervalMethod::Bca { draws: 500 }, seed).unwrap().low;
    assert_eq!(low(1), low(1));
    assert!((2..12).any(|seed| low(seed) != low(1)));
}

/// The distribution of drawn sums is the exact one: for 17 ones it is the binomial distribution.
#[test]
fn drawn_patterns_are_fair() {
    const DRAWS: u32 = 100_000;
    let coins = [1.0; 17];
    // At least 11 of 17 heads: 0.16615. Seen: eleven heads, six tails.
    let mut seen = coins;
    seen[..6].fill(-1.0);
    let p = sign_flip(&seen, Alternative::Greater, DRAWS, 8).p;
    assert!((p - 0.166_152_954).abs() < 5.0 * (0.166 * 0.834 / f64::from(DRAWS)).sqrt(), "{p}");
}

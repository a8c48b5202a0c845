//! The backends that this build has, selected at compile time: the only place that asks for instruction sets.

use super::scalar::Scalar;
use super::vector::Vector;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[path = "avx2.rs"]
pub mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "avx512f", target_feature = "avx512bw"))]
#[path = "avx512.rs"]
pub mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[path = "neon.rs"]
pub mod neon;
#[cfg(target_arch = "x86_64")]
#[path = "sse.rs"]
pub mod sse;

/// The fastest backend of this build.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512bw",
    target_feature = "avx512vnni"
))]
pub type Native = avx512::Avx512<true>;

/// The fastest backend of this build.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512bw",
    not(target_feature = "avx512vnni")
))]
pub type Native = avx512::Avx512<false>;

/// The fastest backend of this build.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    not(all(target_feature = "avx512f", target_feature = "avx512bw"))
))]
pub type Native = avx2::Avx2;

/// The fastest backend of this build.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
pub type Native = sse::Sse<{ cfg!(target_feature = "ssse3") }>;

/// The fastest backend of this build.
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub type Native = neon::Neon;

/// The fastest backend of this build.
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))))]
pub type Native = Scalar;

/// Work to be done with each backend, generic over its type.
pub trait BackendVisitor {
    /// Does the work with one backend.
    fn visit<V: Vector>(&mut self);
}

/// Visits every backend of this build, the scalar one first.
pub fn visit_backends(visitor: &mut impl BackendVisitor) {
    visitor.visit::<Scalar>();
    #[cfg(target_arch = "x86_64")]
    visitor.visit::<sse::Sse<false>>();
    #[cfg(all(target_arch = "x86_64", target_feature = "ssse3"))]
    visitor.visit::<sse::Sse<true>>();
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    visitor.visit::<avx2::Avx2>();
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512f", target_feature = "avx512bw"))]
    visitor.visit::<avx512::Avx512<false>>();
    #[cfg(all(
        target_arch = "x86_64",
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512vnni"
    ))]
    visitor.visit::<avx512::Avx512<true>>();
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    visitor.visit::<neon::Neon>();
}

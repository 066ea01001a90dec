/// `./verbena soak`: hours of verified traffic, peers that die or stop, short connections and forged packets, against
/// software devices in processes of their own, on both paths.
package io.verbena.bench.soak;

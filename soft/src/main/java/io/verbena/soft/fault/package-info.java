/// For programs that want to be tested: what goes wrong on a wire, which frames it befalls, and how often it did.
package io.verbena.soft.fault;

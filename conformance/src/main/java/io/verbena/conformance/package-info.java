/// How contracts are written and run: a contract is an abstract class whose tests name the rules they check; a runner
/// says with [RunOn] which pair of devices it meets.
package io.verbena.conformance;

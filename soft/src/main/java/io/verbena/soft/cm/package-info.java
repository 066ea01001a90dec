/// The connection manager: how two queue pairs agree to talk, by the messages of QP 1.
///
/// Read [CmConnection] first, the state machine of one connection; [CmAgent] finds the connection a message is for;
/// [SoftConnectionId] is what programs hold.
package io.verbena.soft.cm;

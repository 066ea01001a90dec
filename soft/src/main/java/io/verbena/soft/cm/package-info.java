/// The connection manager: how two queue pairs get connected, by the messages of QP 1.
///
/// Read [CmConnection] first, the state machine of one connection; [CmAgent] finds the connection a message is for;
/// [SoftConnectionId] is what programs hold.
package io.verbena.soft.cm;

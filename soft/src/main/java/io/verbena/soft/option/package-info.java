/// Options of software devices: which path their connections take, which faults their packets meet, what is captured.
package io.verbena.soft.option;

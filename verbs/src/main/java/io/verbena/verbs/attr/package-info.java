/// Attributes: records for what is described, enums for closed sets.
package io.verbena.verbs.attr;

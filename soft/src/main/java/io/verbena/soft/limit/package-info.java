/// The limits of a software device, quotas that enforce them, and the numbers of its objects.
package io.verbena.soft.limit;

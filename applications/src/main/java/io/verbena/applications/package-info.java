/// Programs of others, unchanged, over Verbena's sockets: what starts them, in processes of their own, and the small
/// programs around them.
package io.verbena.applications;

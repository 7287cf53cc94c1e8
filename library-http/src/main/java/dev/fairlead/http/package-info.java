/**
 * An HTTP client for APIs that storage and clusters are driven by: it trusts only whom it is told to, reads no more
 * than it has to, waits no longer than its caller, and repeats only what is safe.
 */
@NullMarked
package dev.fairlead.http;

import org.jspecify.annotations.NullMarked;

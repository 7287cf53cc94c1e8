/** Certificates: whom a client believes, and which one it shows of itself. */
@NullMarked
package dev.fairlead.http.trust;

import org.jspecify.annotations.NullMarked;

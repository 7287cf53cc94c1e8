/** Tests of which servers are believed. */
@NullMarked
package dev.fairlead.bootstrap.trust;

import org.jspecify.annotations.NullMarked;

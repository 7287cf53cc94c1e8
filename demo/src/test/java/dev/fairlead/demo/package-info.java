/** The demo, run as a newcomer runs it. */
@NullMarked
package dev.fairlead.demo;

import org.jspecify.annotations.NullMarked;

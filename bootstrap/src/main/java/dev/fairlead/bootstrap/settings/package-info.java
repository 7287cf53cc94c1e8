/** The main file: what this process is, and what it advertises. */
@NullMarked
package dev.fairlead.bootstrap.settings;

import org.jspecify.annotations.NullMarked;

/** The table of driver types, and how a connection's file becomes a backend. */
@NullMarked
package dev.fairlead.bootstrap.driver;

import org.jspecify.annotations.NullMarked;

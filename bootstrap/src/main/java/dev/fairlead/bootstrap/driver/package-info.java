/** The table of driver types, and the assembly of a backend from a connection's file. */
@NullMarked
package dev.fairlead.bootstrap.driver;

import org.jspecify.annotations.NullMarked;

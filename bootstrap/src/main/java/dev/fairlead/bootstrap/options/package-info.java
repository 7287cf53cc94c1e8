/** The command line of a driver that serves, with democratic-csi's options. */
@NullMarked
package dev.fairlead.bootstrap.options;

import org.jspecify.annotations.NullMarked;

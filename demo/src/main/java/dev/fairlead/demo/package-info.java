/** Shows a newcomer what Fairlead does: the real driver on a temporary folder, and a volume's life over its socket. */
@NullMarked
package dev.fairlead.demo;

import org.jspecify.annotations.NullMarked;

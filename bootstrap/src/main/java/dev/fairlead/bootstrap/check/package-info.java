/** Reading a configuration without serving it. */
@NullMarked
package dev.fairlead.bootstrap.check;

import org.jspecify.annotations.NullMarked;

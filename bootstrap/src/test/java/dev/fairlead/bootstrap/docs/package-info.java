/** Holds the documents of the repository to the code. */
@NullMarked
package dev.fairlead.bootstrap.docs;

import org.jspecify.annotations.NullMarked;

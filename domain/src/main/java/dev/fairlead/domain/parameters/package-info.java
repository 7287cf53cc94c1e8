/** StorageClass parameters and their prefixes. */
@NullMarked
package dev.fairlead.domain.parameters;

import org.jspecify.annotations.NullMarked;

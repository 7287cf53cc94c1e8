@NullMarked
package dev.fairlead.adapter.kernel;

import org.jspecify.annotations.NullMarked;

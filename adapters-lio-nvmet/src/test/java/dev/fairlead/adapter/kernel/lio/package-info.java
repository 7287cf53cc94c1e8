@NullMarked
package dev.fairlead.adapter.kernel.lio;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.fairlead.adapter.kernel.host;

import org.jspecify.annotations.NullMarked;

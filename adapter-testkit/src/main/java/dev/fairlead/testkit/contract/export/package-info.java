/** Contracts of exporters. */
@NullMarked
package dev.fairlead.testkit.contract.export;

import org.jspecify.annotations.NullMarked;

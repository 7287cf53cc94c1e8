@org.jspecify.annotations.NullMarked
package dev.fairlead.adapter.freenas.store.copy;

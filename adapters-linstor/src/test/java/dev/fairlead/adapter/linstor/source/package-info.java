@org.jspecify.annotations.NullMarked
package dev.fairlead.adapter.linstor.source;

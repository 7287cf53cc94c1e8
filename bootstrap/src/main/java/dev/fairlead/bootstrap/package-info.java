@org.jspecify.annotations.NullMarked
package dev.fairlead.bootstrap;

@org.jspecify.annotations.NullMarked
package dev.fairlead.adapter.grpc;

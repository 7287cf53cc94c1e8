/** CSI's Controller and GroupController services. */
@NullMarked
package dev.fairlead.adapter.grpc.controller;

import org.jspecify.annotations.NullMarked;

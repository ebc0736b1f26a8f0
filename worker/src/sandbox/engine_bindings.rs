//! What the JavaScript engine component imports and exports, generated from `wit/engine.wit`.

wasmtime::component::bindgen!({
    path: "wit",
    world: "engine",
    imports: { default: async },
    exports: { default: async },
});

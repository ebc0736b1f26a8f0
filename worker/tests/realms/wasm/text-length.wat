;; A tool without any language runtime: it answers how many bytes its input has.
;; Built into text-length.wasm by: cargo run --release --example component_from_wat
(module
  (memory (export "memory") 1)

  ;; Static texts.
  (data (i32.const 1024) "Counts the bytes of the arguments it is given.")
  (data (i32.const 1088) "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\",\"description\":\"The text to measure\"}},\"required\":[\"text\"]}")
  (data (i32.const 1280) "this component has one tool: default")

  ;; A bump allocator: an instance lives for one call.
  (global $free (mut i32) (i32.const 4096))
  (func (export "cabi_realloc") (param $old i32) (param $old_size i32) (param $align i32) (param $size i32) (result i32)
    (local $at i32)
    (local.set $at
      (i32.and
        (i32.add (global.get $free) (i32.sub (local.get $align) (i32.const 1)))
        (i32.xor (i32.sub (local.get $align) (i32.const 1)) (i32.const -1))))
    (global.set $free (i32.add (local.get $at) (local.get $size)))
    (local.get $at))

  ;; Whether the name is `default`.
  (func $is_default (param $at i32) (param $length i32) (result i32)
    (if (i32.ne (local.get $length) (i32.const 7)) (then (return (i32.const 0))))
    (i32.and
      (i32.eq (i32.load align=1 (local.get $at)) (i32.const 0x61666564))
      (i32.eq (i32.load offset=3 align=1 (local.get $at)) (i32.const 0x746c7561))))

  ;; describe: func(name: string) -> result<description, string>
  (func (export "realmdex:tools/tool@0.1.0#describe") (param $name i32) (param $length i32) (result i32)
    (if (call $is_default (local.get $name) (local.get $length))
      (then
        (i32.store8 (i32.const 16) (i32.const 0))
        (i32.store (i32.const 20) (i32.const 1024))
        (i32.store (i32.const 24) (i32.const 46))
        (i32.store (i32.const 28) (i32.const 1088))
        (i32.store (i32.const 32) (i32.const 113)))
      (else
        (i32.store8 (i32.const 16) (i32.const 1))
        (i32.store (i32.const 20) (i32.const 1280))
        (i32.store (i32.const 24) (i32.const 36))))
    (i32.const 16))

  ;; call: func(name: string, input: string) -> result<string, string>
  (func (export "realmdex:tools/tool@0.1.0#call")
    (param $name i32) (param $name_length i32) (param $input i32) (param $length i32) (result i32)
    (local $at i32)
    (local.set $at (i32.const 80))
    ;; The length in decimal, written backwards.
    (loop $digits
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $length) (i32.const 10))))
      (local.set $length (i32.div_u (local.get $length) (i32.const 10)))
      (br_if $digits (local.get $length)))
    (i32.store8 (i32.const 16) (i32.const 0))
    (i32.store (i32.const 20) (local.get $at))
    (i32.store (i32.const 24) (i32.sub (i32.const 80) (local.get $at)))
    (i32.const 16)))

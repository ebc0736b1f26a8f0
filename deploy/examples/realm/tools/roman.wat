;; A tool without any language runtime: it writes a number as a roman numeral.
;; Built into roman.wasm by: cargo run --release --example component_from_wat
(module
  (memory (export "memory") 1)

  ;; Static texts.
  (data (i32.const 1024) "Writes a number from 1 to 3999 as a roman numeral")
  (data (i32.const 1088) "{\"type\":\"object\",\"properties\":{\"number\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":3999}},\"required\":[\"number\"],\"additionalProperties\":false}")
  (data (i32.const 1280) "this component has one tool: default")
  (data (i32.const 1344) "roman numerals go from 1 to 3999")

  ;; Thirteen values, eight bytes each: the value, the length of its numeral, two letters.
  (data (i32.const 1408)
    "\e8\03\00\00\01\00M\00\84\03\00\00\02\00CM\f4\01\00\00\01\00D\00\90\01\00\00\02\00CD"
    "\64\00\00\00\01\00C\00\5a\00\00\00\02\00XC\32\00\00\00\01\00L\00\28\00\00\00\02\00XL"
    "\0a\00\00\00\01\00X\00\09\00\00\00\02\00IX\05\00\00\00\01\00V\00\04\00\00\00\02\00IV"
    "\01\00\00\00\01\00I\00")

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

  ;; A result of one text: whether it is an error, where it lies, its length.
  (func $answer (param $is_error i32) (param $at i32) (param $length i32) (result i32)
    (i32.store8 (i32.const 16) (local.get $is_error))
    (i32.store (i32.const 20) (local.get $at))
    (i32.store (i32.const 24) (local.get $length))
    (i32.const 16))

  ;; The first number in the input: its one key holds no digits. More than five digits count as too large.
  (func $number (param $at i32) (param $length i32) (result i32)
    (local $end i32) (local $digit i32) (local $number i32)
    (local.set $end (i32.add (local.get $at) (local.get $length)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $digit (i32.sub (i32.load8_u (local.get $at)) (i32.const 48)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.lt_u (local.get $digit) (i32.const 10))
          (then
            (local.set $number
              (i32.add (i32.mul (local.get $number) (i32.const 10)) (local.get $digit)))
            (br_if $done (i32.gt_u (local.get $number) (i32.const 9999))))
          (else (br_if $done (local.get $number))))
        (br $next)))
    (local.get $number))

  ;; describe: func(name: string) -> result<description, string>
  (func (export "realmdex:tools/tool@0.1.0#describe") (param $name i32) (param $length i32) (result i32)
    (if (i32.eqz (call $is_default (local.get $name) (local.get $length)))
      (then (return (call $answer (i32.const 1) (i32.const 1280) (i32.const 36)))))
    (i32.store (i32.const 28) (i32.const 1088))
    (i32.store (i32.const 32) (i32.const 138))
    (call $answer (i32.const 0) (i32.const 1024) (i32.const 49)))

  ;; call: func(name: string, input: string) -> result<string, string>
  (func (export "realmdex:tools/tool@0.1.0#call")
    (param $name i32) (param $name_length i32) (param $input i32) (param $length i32) (result i32)
    (local $number i32) (local $entry i32) (local $at i32)
    (local.set $number (call $number (local.get $input) (local.get $length)))
    (if (i32.gt_u (i32.sub (local.get $number) (i32.const 1)) (i32.const 3998))
      (then (return (call $answer (i32.const 1) (i32.const 1344) (i32.const 32)))))
    ;; JSON text: the numeral in quotes.
    (i32.store8 (i32.const 64) (i32.const 34))
    (local.set $at (i32.const 65))
    (local.set $entry (i32.const 1408))
    (loop $next
      (if (i32.ge_u (local.get $number) (i32.load (local.get $entry)))
        (then
          (i32.store16 (local.get $at) (i32.load16_u offset=6 (local.get $entry)))
          (local.set $at (i32.add (local.get $at) (i32.load16_u offset=4 (local.get $entry))))
          (local.set $number (i32.sub (local.get $number) (i32.load (local.get $entry)))))
        (else (local.set $entry (i32.add (local.get $entry) (i32.const 8)))))
      (br_if $next (local.get $number)))
    (i32.store8 (local.get $at) (i32.const 34))
    (call $answer (i32.const 0) (i32.const 64)
      (i32.sub (i32.add (local.get $at) (i32.const 1)) (i32.const 64)))))

;; Finds the marks of many texts and sets them in the bitmaps of a filter. grams.ts tells what marks
;; are, and does the same letter by letter; a test holds the two to each other. `npm run assemble`
;; makes mark-bytes.wasm of this file.
;;
;; Texts have letters of one byte only. `lay` puts them one after the other, lower-cased, with END
;; (0xff, which is no letter) behind each; the others read them there. A bitmap is given by where
;; it begins, and by its bytes, a power of two, less four: `mask` leaves of a number the place of one
;; of its words.
;;
;; The first 16,384 bytes of the memory are used here: 0 to 255 for PACKING, from 4,096 on for a
;; list of short marks and from 8,192 on for a list of long ones.
(module
  (memory (export "memory") 16)

  ;; PACKING: for each choice among four numbers, by its bits, sixteen places of bytes that put the
  ;; chosen ones first.
  (data (i32.const 0)
    "\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"
    "\00\01\02\03\00\00\00\00\00\00\00\00\00\00\00\00"
    "\04\05\06\07\00\00\00\00\00\00\00\00\00\00\00\00"
    "\00\01\02\03\04\05\06\07\00\00\00\00\00\00\00\00"
    "\08\09\0a\0b\00\00\00\00\00\00\00\00\00\00\00\00"
    "\00\01\02\03\08\09\0a\0b\00\00\00\00\00\00\00\00"
    "\04\05\06\07\08\09\0a\0b\00\00\00\00\00\00\00\00"
    "\00\01\02\03\04\05\06\07\08\09\0a\0b\00\00\00\00"
    "\0c\0d\0e\0f\00\00\00\00\00\00\00\00\00\00\00\00"
    "\00\01\02\03\0c\0d\0e\0f\00\00\00\00\00\00\00\00"
    "\04\05\06\07\0c\0d\0e\0f\00\00\00\00\00\00\00\00"
    "\00\01\02\03\04\05\06\07\0c\0d\0e\0f\00\00\00\00"
    "\08\09\0a\0b\0c\0d\0e\0f\00\00\00\00\00\00\00\00"
    "\00\01\02\03\08\09\0a\0b\0c\0d\0e\0f\00\00\00\00"
    "\04\05\06\07\08\09\0a\0b\0c\0d\0e\0f\00\00\00\00"
    "\00\01\02\03\04\05\06\07\08\09\0a\0b\0c\0d\0e\0f")

  ;; Lays `rows` texts from `to` on. `starts` tells where each begins, counted as for the first, and
  ;; where the last ends. With `several` the letters 0x1e and 0x1f end a text too. Answers where it
  ;; ended. The 16 bytes before `to` and the 16 from the end on are filled with END.
  (func (export "lay")
    (param $texts i32) (param $starts i32) (param $rows i32) (param $several i32) (param $to i32)
    (result i32)
    (local $base i32) (local $from i32) (local $length i32) (local $at i32)
    (local $letters v128) (local $separator v128)
    (v128.store (i32.sub (local.get $to) (i32.const 16)) (i8x16.splat (i32.const 0xff)))
    (local.set $base (i32.sub (local.get $texts) (i32.load (local.get $starts))))
    ;; Compared with letters less their lowest bit, so 0xff is none of them.
    (local.set $separator
      (i8x16.splat (select (i32.const 0x1e) (i32.const 0xff) (local.get $several))))
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $from (i32.load (local.get $starts)))
        (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
        (local.set $length (i32.sub (i32.load (local.get $starts)) (local.get $from)))
        (local.set $from (i32.add (local.get $from) (local.get $base)))
        (local.set $at (i32.const 0))
        ;; Sixteen letters at a time: what is written too much, the next text writes over.
        (block $copied
          (loop $sixteen
            (br_if $copied (i32.ge_u (local.get $at) (local.get $length)))
            (local.set $letters (v128.load (i32.add (local.get $from) (local.get $at))))
            (local.set $letters
              (i8x16.add
                (local.get $letters)
                (v128.and
                  (i8x16.lt_u
                    (i8x16.sub (local.get $letters) (i8x16.splat (i32.const 0x41)))
                    (i8x16.splat (i32.const 26)))
                  (i8x16.splat (i32.const 0x20)))))
            (v128.store
              (i32.add (local.get $to) (local.get $at))
              (v128.or
                (local.get $letters)
                (i8x16.eq
                  (v128.and (local.get $letters) (i8x16.splat (i32.const 0xfe)))
                  (local.get $separator))))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br $sixteen)))
        (local.set $to (i32.add (local.get $to) (local.get $length)))
        (i32.store8 (local.get $to) (i32.const 0xff))
        (local.set $to (i32.add (local.get $to) (i32.const 1)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $row)))
    (v128.store (local.get $to) (i8x16.splat (i32.const 0xff)))
    (local.get $to))

  ;; Sets the short and long marks of the texts from `at` to `end`. Marks go into a list first and
  ;; from there into the bitmap, some hundred at a time: set where they are found, every one would
  ;; wait for the one before.
  (func (export "setGrams")
    (param $at i32) (param $end i32)
    (param $short i32) (param $shortMask i32) (param $long i32) (param $longMask i32)
    (local $shorts i32) (local $longs i32) (local $pause i32)
    (local $letters v128) (local $has4 v128) (local $has8 v128) (local $has12 v128)
    (local $two v128) (local $four v128) (local $eight v128)
    (local $least2 v128) (local $least5 v128)
    ;; As they were for the four letters before.
    (local $has4Before v128) (local $has8Before v128) (local $has12Before v128)
    (local $twoBefore v128) (local $fourBefore v128) (local $eightBefore v128)
    (local $least2Before v128) (local $least5Before v128)
    (block $done
      (loop $piece
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $shorts (i32.const 4096))
        (local.set $longs (i32.const 8192))
        (local.set $pause (i32.add (local.get $at) (i32.const 1024)))
        (if (i32.gt_u (local.get $pause) (local.get $end))
          (then (local.set $pause (local.get $end))))
        (loop $next
          ;; In each of four numbers a letter with the three before it, the last one lowest.
          (local.set $letters (v128.load (i32.sub (local.get $at) (i32.const 3))))
          (local.set $letters
            (i8x16.shuffle 3 2 1 0  4 3 2 1  5 4 3 2  6 5 4 3
              (local.get $letters) (local.get $letters)))
          ;; Whether these four belong to one text, and the eight and twelve that end with them.
          (local.set $has4
            (i32x4.eq
              (v128.and (local.get $letters) (i32x4.splat (i32.const 0x80808080)))
              (i32x4.splat (i32.const 0))))
          (local.set $has8 (v128.and (local.get $has4) (local.get $has4Before)))
          (local.set $has12 (v128.and (local.get $has4) (local.get $has8Before)))

          (local.set $shorts
            (call $append
              (local.get $shorts) (call $mix4 (local.get $letters)) (local.get $has4)))

          ;; Hashes of two, four and eight letters: the earlier half times BASE for every letter of
          ;; the later one. 0x01000193 is BASE, then its square, then that of its square.
          (local.set $two
            (i32x4.add
              (i32x4.mul
                (v128.and
                  (i32x4.shr_u (local.get $letters) (i32.const 8))
                  (i32x4.splat (i32.const 255)))
                (i32x4.splat (i32.const 0x01000193)))
              (v128.and (local.get $letters) (i32x4.splat (i32.const 255)))))
          (local.set $four
            (i32x4.add
              (i32x4.mul
                (call $twoEarlier (local.get $twoBefore) (local.get $two))
                (i32x4.splat (i32.const 0x26027a69)))
              (local.get $two)))
          (local.set $eight
            (call $mix4
              (i32x4.add
                (i32x4.mul (local.get $fourBefore) (i32x4.splat (i32.const 0x502c3f11)))
                (local.get $four))))

          ;; The smallest of two in a row, then of five: two, the two before, and the first.
          (local.set $least2
            (i32x4.min_s
              (local.get $eight)
              (call $oneEarlier (local.get $eightBefore) (local.get $eight))))
          (local.set $least5
            (i32x4.min_s
              (i32x4.min_s
                (local.get $least2)
                (call $twoEarlier (local.get $least2Before) (local.get $least2)))
              (local.get $eightBefore)))
          ;; Once, where it stays the smallest for some letters.
          (local.set $longs
            (call $append
              (local.get $longs)
              (local.get $least5)
              (v128.andnot
                (local.get $has12)
                (v128.and
                  (call $oneEarlier (local.get $has12Before) (local.get $has12))
                  (i32x4.eq
                    (call $oneEarlier (local.get $least5Before) (local.get $least5))
                    (local.get $least5))))))

          (local.set $has4Before (local.get $has4))
          (local.set $has8Before (local.get $has8))
          (local.set $has12Before (local.get $has12))
          (local.set $twoBefore (local.get $two))
          (local.set $fourBefore (local.get $four))
          (local.set $eightBefore (local.get $eight))
          (local.set $least2Before (local.get $least2))
          (local.set $least5Before (local.get $least5))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br_if $next (i32.lt_u (local.get $at) (local.get $pause))))
        (call $setList
          (i32.const 4096) (local.get $shorts) (local.get $short) (local.get $shortMask))
        (call $setList
          (i32.const 8192) (local.get $longs) (local.get $long) (local.get $longMask))
        (br $piece))))

  ;; Of eight numbers in a row, the four that begin one before the last four.
  (func $oneEarlier (param $before v128) (param $now v128) (result v128)
    (i8x16.shuffle 12 13 14 15  16 17 18 19  20 21 22 23  24 25 26 27
      (local.get $before) (local.get $now)))

  ;; The same, two before.
  (func $twoEarlier (param $before v128) (param $now v128) (result v128)
    (i8x16.shuffle 8 9 10 11  12 13 14 15  16 17 18 19  20 21 22 23
      (local.get $before) (local.get $now)))

  ;; Writes those of four hashes that are chosen to the end of a list, and answers where it ends then.
  (func $append (param $end i32) (param $hashes v128) (param $chosen v128) (result i32)
    (local $choice i32)
    (local.set $choice (i32x4.bitmask (local.get $chosen)))
    (v128.store
      (local.get $end)
      (i8x16.swizzle
        (local.get $hashes)
        (v128.load (i32.shl (local.get $choice) (i32.const 4)))))
    (i32.add (local.get $end) (i32.shl (i32.popcnt (local.get $choice)) (i32.const 2))))

  (func $setList (param $at i32) (param $end i32) (param $bits i32) (param $mask i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (call $set (i32.load (local.get $at)) (local.get $bits) (local.get $mask))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next))))

  ;; Sets the middle marks of the texts from `at` to `end`. It goes from dot to dot, or colon: at the
  ;; third with nothing but letters and digits between, it may be an address.
  (func (export "setAddresses")
    (param $at i32) (param $end i32) (param $middle i32) (param $mask i32)
    (local $letters v128) (local $areDots v128) (local $dots i32) (local $others i32)
    (local $before i32) (local $lastOther i32) (local $other i32)
    (local $first i32) (local $second i32) (local $third i32)
    (block $done
      (loop $sixteen
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $letters (v128.load (local.get $at)))
        (local.set $areDots
          (v128.or
            (i8x16.eq (local.get $letters) (i8x16.splat (i32.const 0x2e)))
            (i8x16.eq (local.get $letters) (i8x16.splat (i32.const 0x3a)))))
        (local.set $dots (i8x16.bitmask (local.get $areDots)))
        ;; Neither dots nor 0 to 9 nor a to z: END is one of them.
        (local.set $others
          (i8x16.bitmask
            (v128.not
              (v128.or
                (local.get $areDots)
                (v128.or
                  (i8x16.lt_u
                    (i8x16.sub (local.get $letters) (i8x16.splat (i32.const 0x30)))
                    (i8x16.splat (i32.const 10)))
                  (i8x16.lt_u
                    (i8x16.sub (local.get $letters) (i8x16.splat (i32.const 0x61)))
                    (i8x16.splat (i32.const 26))))))))
        (block $noDots
          (loop $dot
            (br_if $noDots (i32.eqz (local.get $dots)))
            (local.set $first (local.get $second))
            (local.set $second (local.get $third))
            (local.set $third (i32.add (local.get $at) (i32.ctz (local.get $dots))))
            (local.set $before
              (i32.and
                (local.get $others)
                (i32.xor (local.get $dots) (i32.sub (local.get $dots) (i32.const 1)))))
            (local.set $other
              (select
                (i32.sub (i32.add (local.get $at) (i32.const 31)) (i32.clz (local.get $before)))
                (local.get $lastOther)
                (local.get $before)))
            (local.set $dots
              (i32.and (local.get $dots) (i32.sub (local.get $dots) (i32.const 1))))
            (br_if $dot (i32.le_u (local.get $first) (local.get $other)))
            ;; The mark begins one letter before the first dot, which has to be of the same text.
            (br_if $dot
              (i32.eq
                (i32.load8_u (i32.sub (local.get $first) (i32.const 1)))
                (i32.const 0xff)))
            (call $setAddress
              (i32.sub (local.get $first) (i32.const 1)) (local.get $third)
              (local.get $middle) (local.get $mask))
            (br $dot)))
        (if (local.get $others)
          (then
            (local.set $lastOther
              (i32.sub (i32.add (local.get $at) (i32.const 31)) (i32.clz (local.get $others))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $sixteen))))

  ;; The letters from `at` to the third dot, with one, two and three letters or digits after it.
  (func $setAddress (param $at i32) (param $third i32) (param $middle i32) (param $mask i32)
    (local $hash i32) (local $letter i32)
    (block $done
      (loop $next
        (local.set $letter (i32.load8_u (local.get $at)))
        (local.set $hash
          (i32.add (i32.mul (local.get $hash) (i32.const 0x01000193)) (local.get $letter)))
        (if (i32.gt_u (local.get $at) (local.get $third))
          (then
            (br_if $done
              (i32.and
                (i32.ge_u (i32.sub (local.get $letter) (i32.const 0x30)) (i32.const 10))
                (i32.ge_u (i32.sub (local.get $letter) (i32.const 0x61)) (i32.const 26))))
            (call $setTwice (local.get $hash) (local.get $middle) (local.get $mask))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $next
          (i32.le_u (local.get $at) (i32.add (local.get $third) (i32.const 3)))))))

  ;; Sets a mark for each whole text from `at` to `end`.
  (func (export "setWholes") (param $at i32) (param $end i32) (param $ids i32) (param $mask i32)
    (local $hash i32) (local $letter i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $letter (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.eq (local.get $letter) (i32.const 0xff))
          (then
            (call $setTwice (local.get $hash) (local.get $ids) (local.get $mask))
            (local.set $hash (i32.const 0)))
          (else
            (local.set $hash
              (i32.add (i32.mul (local.get $hash) (i32.const 0x01000193)) (local.get $letter)))))
        (br $next))))

  ;; Mixes a hash, and sets both bits that it stands for: see `again` in grams.ts.
  (func $setTwice (param $hash i32) (param $bits i32) (param $mask i32)
    (local.set $hash (i32x4.extract_lane 0 (call $mix4 (i32x4.splat (local.get $hash)))))
    (call $set (local.get $hash) (local.get $bits) (local.get $mask))
    (call $set
      (i32.mul
        (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 16)))
        (i32.const 0x45d9f3b))
      (local.get $bits)
      (local.get $mask)))

  (func $set (param $hash i32) (param $bits i32) (param $mask i32)
    (local $word i32)
    (local.set $word
      (i32.add
        (local.get $bits)
        (i32.and (i32.shr_u (local.get $hash) (i32.const 3)) (local.get $mask))))
    ;; Of the hash, shl takes the lowest five bits.
    (i32.store
      (local.get $word)
      (i32.or (i32.load (local.get $word)) (i32.shl (i32.const 1) (local.get $hash)))))

  ;; Four hashes as `mix` in grams.ts does it.
  (func $mix4 (param $hashes v128) (result v128)
    (local.set $hashes
      (i32x4.mul
        (v128.xor (local.get $hashes) (i32x4.shr_u (local.get $hashes) (i32.const 15)))
        (i32x4.splat (i32.const 0x2c1b3c6d))))
    (local.set $hashes
      (i32x4.mul
        (v128.xor (local.get $hashes) (i32x4.shr_u (local.get $hashes) (i32.const 12)))
        (i32x4.splat (i32.const 0x297a2d39))))
    (v128.xor (local.get $hashes) (i32x4.shr_u (local.get $hashes) (i32.const 15)))))

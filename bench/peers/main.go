// Go's net/http with ES256. Each token is verified each time, or cached after the first time (MEMORY=true).
package main

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

type claims struct {
	Iss string `json:"iss"`
	Aud string `json:"aud"`
	Exp int64  `json:"exp"`
}

func main() {
	body, _ := os.ReadFile(os.Getenv("LIST_FILE"))
	text, _ := os.ReadFile(os.Getenv("PUBLIC_KEY_FILE"))
	block, _ := pem.Decode(text)
	parsed, _ := x509.ParsePKIXPublicKey(block.Bytes)
	key := parsed.(*ecdsa.PublicKey)
	issuer, audience := os.Getenv("ISSUER"), os.Getenv("AUDIENCE")
	remembers := os.Getenv("MEMORY") == "true"
	var memory sync.Map

	verify := func(token string) (claims, bool) {
		var c claims
		parts := strings.Split(token, ".")
		if len(parts) != 3 {
			return c, false
		}
		signature, err := base64.RawURLEncoding.DecodeString(parts[2])
		if err != nil || len(signature) != 64 {
			return c, false
		}
		hash := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
		r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
		if !ecdsa.Verify(key, hash[:], r, s) {
			return c, false
		}
		payload, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err != nil || json.Unmarshal(payload, &c) != nil {
			return c, false
		}
		return c, c.Iss == issuer && c.Aud == audience
	}

	http.HandleFunc("/employee/position", func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		found, ok := memory.Load(token)
		var c claims
		if remembers && ok {
			c = found.(claims)
		} else if c, ok = verify(token); ok && remembers {
			memory.Store(token, c)
		}
		if !ok || c.Exp < time.Now().Unix() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	})
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
}
